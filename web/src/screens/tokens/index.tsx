/** Tokens is the screen of /tokens. */
export default function Tokens() {
  return <h1>Tokens</h1>
}
