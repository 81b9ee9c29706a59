/** Exports is the screen of /exports. */
export default function Exports() {
  return <h1>Exports</h1>
}
