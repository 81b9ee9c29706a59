/** Athlete is the screen of one athlete. */
export default function Athlete({ id }: { id: string }) {
  return <h1 dir="auto">{id}</h1>
}
