import { CodeBlock } from "../../ui/components";

/** The commands that change what an admin page shows. `lines` omits the beginning of each command. */
export function Commands({ lines }: { lines: readonly string[] }) {
  return (
    <>
      <CodeBlock id="commands" label="Commands" wrap>
        {lines.map((line) => `npm run admin -- ${line}`).join("\n")}
      </CodeBlock>
      <p class="small muted">
        For a deployed service, add <code>--url</code> and its URL. <code>npm run admin -- --help</code> lists all
        options.
      </p>
    </>
  );
}
