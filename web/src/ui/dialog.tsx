import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** The first field, wherever it stands, or else the first button: not the cross, which stands before them. */
const fields = [
  'input:not([type=hidden], [tabindex="-1"], :disabled)',
  'select:not(:disabled)',
  'textarea:not(:disabled)',
]
const usual = ['footer button', 'form button']

/**
 * Dialog stands in front of everything else until it is closed. The browser keeps
 * the focus in it; it goes back to where it was. It is shown as long as it is rendered.
 * first is where the focus goes, when that is not the first field or button.
 */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
  first,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
  first?: string
}) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const d = box.current
    const before = document.activeElement
    if (d && !d.open) d.showModal()
    const begin = (to: string) => d?.querySelector<HTMLElement>(to)
    const start = first === undefined ? (begin(fields.join()) ?? begin(usual.join())) : begin(first)
    start?.focus()
    return () => {
      d?.close()
      // The browser gives the focus back only while the dialog is still there.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={box}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault()
        onClose()
      }}
      // Enter that is still held down was pressed before the dialog was there: it answers no question.
      onKeyDown={(e) => {
        if (
          e.repeat &&
          (e.key === 'Enter' || e.key === ' ') &&
          !(e.target instanceof HTMLInputElement && e.key === ' ') &&
          !(e.target instanceof HTMLTextAreaElement)
        )
          e.preventDefault()
      }}
      onMouseDown={(e) => {
        if (e.target === box.current) onClose()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={onClose}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
