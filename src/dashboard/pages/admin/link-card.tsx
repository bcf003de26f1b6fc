import { Card, CopyButton } from "../../ui/components";

interface Props {
  url: string;
  email: string;
  kind: "sign-in" | "reset";
  back?: string;
}

/** A link that was just made: it stands nowhere else. */
export function LinkCard({ url, email, kind, back = "/dashboard/admin" }: Props) {
  return (
    <Card title={kind === "reset" ? `A new password for ${email}` : `The way in for ${email}`}>
      <p>
        Hand this link to {email} alone: whoever uses it is taken for the owner of the address. It works once, within a
        day, and isn't shown again.
      </p>
      <div class="secret">
        <code id="link">{url}</code>
        <CopyButton of="link" />
      </div>
      <p>
        <a href={back}>Back</a>
      </p>
    </Card>
  );
}
