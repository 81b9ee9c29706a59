export type Tone = 'good' | 'bad' | 'busy' | 'quiet'

/** Chip is a state in a word, told by colour and by text. */
export function Chip({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`chip ${tone}`}>{children}</span>
}

const captures: Record<string, [Tone, string]> = {
  completed: ['good', 'Completed'],
  processing: ['busy', 'Processing'],
  awaiting_upload: ['quiet', 'Awaiting upload'],
  error: ['bad', 'Error'],
}

/** CaptureChip is the status of a capture. */
export function CaptureChip({ status }: { status: string }) {
  const [tone, text] = captures[status] ?? ['quiet', status]
  return <Chip tone={tone}>{text}</Chip>
}

const exports: Record<string, [Tone, string]> = {
  COMPLETED: ['good', 'Completed'],
  RUNNING: ['busy', 'Running'],
  FAILED: ['bad', 'Failed'],
  CANCELED: ['quiet', 'Canceled'],
}

/** ExportChip is the status of an export. */
export function ExportChip({ status }: { status: string }) {
  const [tone, text] = exports[status] ?? ['quiet', status]
  return <Chip tone={tone}>{text}</Chip>
}
