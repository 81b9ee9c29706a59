/** Capture is the screen of one capture. */
export default function Capture({ id }: { id: string }) {
  return <h1 dir="auto">{id}</h1>
}
