// The operations of scripts/account.ts, which bundles this file. A script reaches the database but not the key verifiers.
export { PLANS } from "../model/plan";
export { getAccount, listAccounts } from "../store/accounts";
export { changeAccountOffline, createAccount, createKeyOffline, isPlan } from "./accounts";
export { adjustCredits } from "./credits";
export { createLink } from "./users";
