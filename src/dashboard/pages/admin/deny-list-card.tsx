import type { DeniedTarget } from "../../../store/denied-targets";
import { Card, EmptyState, PostButton, TableCell, Time } from "../../ui/components";
import { type FormErrors, TextField } from "../../ui/form";

interface DenyListProps {
  entries: DeniedTarget[];
  /** The path of the page. Its forms are sent to this path and to `<path>/remove`. */
  path: string;
  /** The submitted values, and the errors if the form was refused. */
  entered?: { target: string; note: string };
  errors?: FormErrors | undefined;
}

/** The form that adds a target, and the list of the denied targets. */
export function DenyListCards({ entries, path, entered, errors }: DenyListProps) {
  return (
    <>
      <Card title="Add a target">
        <form method="post" action={path} class="fields two">
          <TextField
            name="target"
            label="Host or network"
            required
            autocomplete="off"
            placeholder="*.example.com"
            value={entered?.target}
            hint="Examples: example.com (only this host), *.example.com (with its subdomains), 203.0.113.0/24 or 2001:db8::/32 (a network)."
            errors={errors}
          />
          <TextField
            name="note"
            label="Reason"
            autocomplete="off"
            value={entered?.note}
            hint="The audit log records the reason."
            errors={errors}
          />
          <div>
            <button class="button primary" type="submit">
              Add target
            </button>
          </div>
        </form>
      </Card>
      {entries.length === 0 ? (
        <EmptyState title="No denied targets">
          <p>Jobs and webhooks can request every public host.</p>
        </EmptyState>
      ) : (
        <Card title="Denied targets">
          <div class="table-scroll">
            <table class="stacking">
              <caption class="visually-hidden">Denied targets</caption>
              <thead>
                <tr>
                  <th scope="col">Target</th>
                  <th scope="col">Reason</th>
                  <th scope="col">Added by</th>
                  <th scope="col">Added</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {entries.map(({ target, note, createdBy, createdAt }) => (
                  <tr>
                    <TableCell of="Target">
                      <code>{target}</code>
                    </TableCell>
                    <TableCell of="Reason">{note === "" ? "–" : note}</TableCell>
                    <TableCell of="Added by">{createdBy}</TableCell>
                    <TableCell of="Added" class="when">
                      <Time at={createdAt} />
                    </TableCell>
                    <TableCell of="Actions" class="actions">
                      <PostButton
                        action={`${path}/remove`}
                        label={
                          <>
                            Remove<span class="visually-hidden"> {target}</span>
                          </>
                        }
                        fields={{ target }}
                      />
                    </TableCell>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
    </>
  );
}
