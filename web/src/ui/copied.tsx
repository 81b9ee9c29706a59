import { useState } from 'preact/hooks'
import { Button } from './button'
import './copied.css'

/** Copied is a text to be copied, such as a command. */
export function Copied({ label, text }: { label: string; text: string }) {
  const [done, setDone] = useState(false)
  return (
    <div class="copied">
      <h3>{label}</h3>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      {navigator.clipboard && ( // only where the connection is secure
        <Button
          onClick={() =>
            void navigator.clipboard.writeText(text).then(
              () => setDone(true),
              () => undefined,
            )
          }
        >
          {done ? 'Copied' : 'Copy'}
          <span class="unseen">: {label}</span>
        </Button>
      )}
    </div>
  )
}
