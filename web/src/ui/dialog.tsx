import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/**
 * Dialog stands in front of everything else until it is closed. The browser keeps
 * the focus in it; it goes back to where it was. It is shown as long as it is rendered.
 */
export function Dialog({ title, onClose, children, wide = false }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const d = box.current
    const before = document.activeElement
    if (d && !d.open) d.showModal()
    // To the first field, not to the cross, which stands before it.
    d?.querySelector<HTMLElement>('form input:not([type=hidden], [tabindex="-1"]), form select, footer button, form button')?.focus()
    return () => {
      d?.close()
      // The browser gives the focus back only while the dialog is still there.
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog ref={box} class={wide ? 'wide' : undefined} aria-labelledby={id}
      onCancel={(e) => { e.preventDefault(); onClose() }}
      onMouseDown={(e) => { if (e.target === box.current) onClose() }}>
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={onClose}>×</button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
