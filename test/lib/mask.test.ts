import { expect, it } from "vitest";
import { maskSecrets } from "../../src/lib/mask";

it.each([
  ["There is no job 'sk_live_4fGhT2bQ9xY7mN3pR8sV1wZ6kL5jH0cD'.", "There is no job 'sk_live_…'."],
  ["sk_test_abcdefgh and whsec_abc-def_ghi", "sk_test_… and whsec_…"],
  ["/v1/jobs/sk_live_abcdefgh?wait=1", "/v1/jobs/sk_live_…?wait=1"],
  ["Send it as 'Authorization: Bearer sk_live_…'.", "Send it as 'Authorization: Bearer sk_live_…'."],
  ["task_live_abcdefghij", "task_live_abcdefghij"],
])("takes secrets out of a text: %s", (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});
