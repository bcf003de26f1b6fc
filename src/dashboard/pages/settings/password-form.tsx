import type { Child } from "hono/jsx";
import { CurrentPasswordField, type FormErrors } from "../../ui/form";
import { PostForm } from "../../ui/post-form";

interface PasswordFormProps {
  action: string;
  hasPassword: boolean;
  errors: FormErrors | undefined;
  submit: string;
  tone?: "danger";
  cancel: string;
  children?: Child;
}

/** A form that requires the user's password. If the user has no password, renders a link to set one instead. */
export function PasswordForm({ hasPassword, children, ...form }: PasswordFormProps) {
  if (!hasPassword) {
    return (
      <p>
        This requires your password, and you don't have one yet. <a href="/dashboard/settings">Set a password</a> first.
      </p>
    );
  }
  return (
    <PostForm {...form} class="fields">
      {children}
      <CurrentPasswordField />
    </PostForm>
  );
}
