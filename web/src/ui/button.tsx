import type { AllHTMLAttributes, ComponentChildren } from 'preact'

type Kind = 'plain' | 'main' | 'danger' | 'quiet'

/** Button does something. While busy it can be focused but does nothing. */
export function Button({
  kind = 'plain',
  busy = false,
  children,
  class: more = '',
  ...rest
}: { kind?: Kind; busy?: boolean; children: ComponentChildren; class?: string } & Omit<
  AllHTMLAttributes<HTMLButtonElement>,
  'class' | 'type'
> & { type?: 'button' | 'submit' }) {
  const attributes: object = { type: 'button', ...rest, ...(busy ? { onClick: (e: Event) => e.preventDefault() } : {}) }
  return (
    <button class={`button ${kind} ${more}`} aria-busy={busy || undefined} {...attributes}>
      {children}
    </button>
  )
}

/** LinkButton goes somewhere and looks like a button. */
export function LinkButton({
  kind = 'plain',
  children,
  ...rest
}: { kind?: Kind; children: ComponentChildren } & Omit<AllHTMLAttributes<HTMLAnchorElement>, 'class'>) {
  return (
    <a class={`button ${kind}`} {...(rest as object)}>
      {children}
    </a>
  )
}
