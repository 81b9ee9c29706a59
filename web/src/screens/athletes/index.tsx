/** Athletes is the screen of /athletes. */
export default function Athletes() {
  return <h1>Athletes</h1>
}
