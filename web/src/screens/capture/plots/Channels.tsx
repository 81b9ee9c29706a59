// All channels by kind: what was recorded, how much of it is missing, and which are
// plotted.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ChannelSearch, hasAll, wordsOf } from '../../../ui/channel-search'
import type { Channel } from '../types'
import { things } from '../../../ui/text'
import { hertz, percent } from '../words'

const kinds: [Channel['kind'] | 'platform', string][] = [
  ['point', 'Points'],
  ['angle', 'Angles'],
  ['force', 'Forces'],
  ['moment', 'Moments'],
  ['power', 'Powers'],
  ['analog', 'Analog'],
  ['scalar', 'Scalars'],
  ['vector', 'Vectors'],
  ['rotation', 'Rotations'],
  ['platform', 'Force platforms'],
]

/** So many are listed of a kind; who has more searches. */
const listed = 150

/** The group of a channel: what platforms measured stands apart from the file's own. */
const kindOf = (c: Channel) => (c.platform ? 'platform' : c.kind)

interface Props {
  channels: Channel[]
  plotted: string[]
  most: number
  toggle: (name: string) => void
}

export function Channels({ channels, plotted, most, toggle }: Props) {
  const [search, setSearch] = useState('')
  const words = wordsOf(search)
  // What is plotted when the list is made stands first. A tick moves nothing: it would slip away from under the
  // pointer.
  const groups = useMemo(() => {
    const first = (c: Channel) => (plotted.includes(c.name) ? 0 : 1)
    return kinds
      .map(([kind, name]) => ({
        kind,
        name,
        all: channels.filter((c) => kindOf(c) === kind).sort((a, b) => first(a) - first(b)),
      }))
      .filter((g) => g.all.length > 0)
      .sort((a, b) => first(a.all[0]!) - first(b.all[0]!))
  }, [channels])
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set([groups[0]?.kind ?? '']))
  // What comes to be plotted, by a tick or by a click into the scene, is seen in its group.
  const before = useRef<readonly string[]>([])
  useEffect(() => {
    const come = channels.filter((c) => plotted.includes(c.name) && !before.current.includes(c.name))
    before.current = plotted
    if (come.length > 0) setOpened((o) => new Set([...o, ...come.map(kindOf)]))
  }, [plotted.join('\n'), channels])
  const fits = (c: Channel) => hasAll(`${c.subject ?? ''} ${c.name} ${c.kind} ${c.unit}`, words)
  const full = plotted.length >= most
  return (
    <section class="card channels" aria-labelledby="channels-title">
      <div class="head">
        <h2 id="channels-title">Channels</h2>
        <span class="quiet small">{things(channels.length, 'channel')}</span>
      </div>
      {channels.length > 8 && <ChannelSearch value={search} change={setSearch} />}
      {full && (
        <p class="notice small" role="status">
          {most} plots are shown. Close one to see another.
        </p>
      )}
      <div class="channel-groups">
        {groups.map((g) => {
          const all = words.length > 0 ? g.all.filter(fits) : g.all
          if (all.length === 0) return null
          return (
            <details
              key={g.kind}
              open={words.length > 0 || opened.has(g.kind)}
              onToggle={(e) => {
                const { open } = e.currentTarget
                if (words.length === 0 && open !== opened.has(g.kind))
                  setOpened((o) => new Set(open ? [...o, g.kind] : [...o].filter((k) => k !== g.kind)))
              }}
            >
              <summary>
                {g.name} <span class="quiet">{all.length}</span>
                {!opened.has(g.kind) && g.all.some((c) => plotted.includes(c.name)) && (
                  <span class="quiet small"> with a plot</span>
                )}
              </summary>
              <table>
                <thead class="unseen">
                  <tr>
                    <th>Channel</th>
                    <th>Rate</th>
                    <th>Missing</th>
                  </tr>
                </thead>
                <tbody>
                  {all.slice(0, listed).map((c) => (
                    <tr key={c.name}>
                      <td>
                        <label class="check">
                          <input
                            type="checkbox"
                            checked={plotted.includes(c.name)}
                            disabled={full && !plotted.includes(c.name)}
                            onChange={() => toggle(c.name)}
                          />
                          <span dir="auto">
                            {c.name}
                            {c.subject && <small class="quiet"> {c.subject}</small>}
                          </span>
                        </label>
                      </td>
                      <td class="quiet nowrap">
                        {c.unit || '–'}
                        {c.per_frame > 1 && <> · {hertz(c.rate)}</>}
                      </td>
                      <td
                        class={`number nowrap ${(c.missing ?? 0) > 20 ? 'much' : (c.missing ?? 0) > 0 ? '' : 'quiet'}`}
                        title={c.missing === null ? 'Not counted' : `${percent(c.missing)} of its samples are missing`}
                      >
                        {c.missing === null ? '–' : percent(c.missing)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {all.length > listed && <p class="quiet small">and {all.length - listed} more: search for them</p>}
            </details>
          )
        })}
        {words.length > 0 && !channels.some(fits) && <p class="quiet">No channel is called so.</p>}
      </div>
      <p class="quiet small">On the right: how much of a channel is missing. A tick shows its plot.</p>
    </section>
  )
}
