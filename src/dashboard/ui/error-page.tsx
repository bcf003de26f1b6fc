export function ErrorPage({ title, message }: { title: string; message: string }) {
  return (
    <div class="card narrow">
      <h2>{title}</h2>
      <p>{message}</p>
      <p>
        <a class="button" href="/dashboard">
          To the overview
        </a>
      </p>
    </div>
  );
}
