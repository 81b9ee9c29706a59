/** Export is the screen of one export. */
export default function Export({ id }: { id: string }) {
  return <h1 dir="auto">{id}</h1>
}
