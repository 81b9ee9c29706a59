import { address, fetched } from '../../../api/request'
import type { BoneSet } from './sets'

/**
 * change reads the sets of the organization, and puts back what becomes of them. A set that somebody else has changed
 * meanwhile is not lost: the server refuses what is based on older ones.
 */
export async function change(to: (sets: BoneSet[]) => BoneSet[]): Promise<void> {
  const url = address('/skeletons')
  const now = await fetched(url, { headers: { Accept: 'application/json' } })
  const { skeletons } = (await now.json()) as { skeletons: BoneSet[] }
  await fetched(url, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'If-Match': now.headers.get('ETag') ?? '*' },
    body: JSON.stringify({ skeletons: to(skeletons) }),
  })
}
