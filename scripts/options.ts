import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * Parses the command line of a script. With --help, prints the usage and exits. If an argument is unknown or invalid,
 * prints the reason and the usage, and exits with 1.
 */
export function parseOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  printHelp(usage);
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(1);
  }
}

/** Prints the usage of a script and exits if the command line has --help. */
export function printHelp(usage: string): void {
  if (!process.argv.slice(2).includes("--help")) return;
  console.log(usage);
  process.exit(0);
}
