import { css, type Palette } from './scene/colours'

/** So many subjects are named at most. */
const most = 12

/** Subjects names whose points have which colour. */
export function Subjects({ names, palette }: { names: readonly (string | null)[]; palette: Palette }) {
  return (
    <ul class="stage-subjects" aria-label="Subjects">
      {names.slice(0, most).map((s, i) => (
        <li key={s ?? ''}>
          <i style={{ background: css(palette.subjects[i % palette.subjects.length]!) }} />
          {s ?? 'No subject'}
        </li>
      ))}
    </ul>
  )
}
