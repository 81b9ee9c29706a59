// What the audit log calls an act, in words.

/** The operations that are written down; commands of the operator come beside them. */
export const actions = [
  'createAthlete',
  'updateAthlete',
  'deleteAthlete',
  'mergeAthletes',
  'reserveCapture',
  'correctCapture',
  'deleteCapture',
  'reprocessCapture',
  'putFile',
  'sendFile',
  'continueUpload',
  'endUpload',
  'linkAthletes',
  'unlinkAthlete',
  'createExport',
  'cancelExport',
  'deleteExport',
  'createShare',
  'deleteShare',
  'createToken',
  'rotateToken',
  'revokeToken',
  'createWebhook',
  'changeWebhook',
  'rotateWebhook',
  'testWebhook',
  'replayDelivery',
  'deleteWebhook',
  'putLandmarks',
  'putSkeletons',
  'import',
] as const

/** act writes an action as words: createAthlete as "Create athlete", org delete as "Org delete". */
export function act(action: string): string {
  const words = action.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** actor writes who it was: a name where there is one, else the kind. */
export function actor(a: { kind: string; id: string; name: string }): string {
  if (a.kind === 'command') return `A command (${a.id})`
  if (a.kind === 'system') return 'The server'
  return a.name || a.id
}

/** short is the beginning of an id, which the whole of it stands behind as a title. */
export function short(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id
}
