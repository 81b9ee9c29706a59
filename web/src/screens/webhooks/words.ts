// What webhooks and deliveries are called.
import type { Tone } from '../../ui/chip'
import type { Good } from '../../api/request'

export type Webhook = Good<'/webhooks'>['webhooks'][number]
export type Delivery = Good<'/webhooks/{webhookId}/deliveries'>['deliveries'][number]

/** The events that can be chosen one by one; * is all, those of later versions included. */
export const events = [
  'capture.created',
  'capture.updated',
  'capture.completed',
  'capture.error',
  'capture.deleted',
  'athlete.created',
  'athlete.updated',
  'athlete.deleted',
  'athlete.merged',
  'export.completed',
  'export.failed',
  'export.canceled',
] as const satisfies readonly Webhook['events'][number][]

const states: Record<Webhook['state'], [Tone, string]> = {
  enabled: ['good', 'Enabled'],
  disabled: ['quiet', 'Disabled'],
  paused: ['bad', 'Paused'],
}

/** stateOf is the state of a webhook in a word. */
export function stateOf(w: Webhook): [Tone, string] {
  return states[w.state]
}

/** reasonOf says why the server has paused a webhook; null where it has not. */
export function reasonOf(w: Webhook): string | null {
  if (w.reason === 'gone') return 'The receiver has answered that it is gone for good (410).'
  if (w.reason === 'failing') return 'For five days nothing could be delivered.'
  return null
}

/** toldOf names what a webhook is told. */
export function toldOf(w: Webhook): string {
  return w.events.includes('*') ? 'Everything' : w.events.join(', ')
}

const deliveryStates: Record<Delivery['state'], [Tone, string]> = {
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
}

/** deliveryState is the state of a delivery in a word. */
export function deliveryState(d: Delivery): [Tone, string] {
  return deliveryStates[d.state]
}

const problems: Record<NonNullable<Delivery['problem']>, string> = {
  status: 'The answer is no success.',
  redirect: 'The answer leads elsewhere; redirects are not followed.',
  timeout: 'No answer came within 15 seconds.',
  address: 'The server may not connect to this address.',
  certificate: 'The certificate is not to be trusted.',
  connection: 'The receiver cannot be found or reached.',
  disabled: 'The webhook was disabled or paused.',
}

/** problemOf says why the last attempt has delivered nothing; null where it has, or there was none. */
export function problemOf(d: Delivery): string | null {
  return d.problem && problems[d.problem]
}
