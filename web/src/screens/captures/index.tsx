/** Captures is the screen of /captures. */
export default function Captures() {
  return <h1>Captures</h1>
}
