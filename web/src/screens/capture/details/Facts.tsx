// Facts of a capture beside its numbers.

import type { Linked } from '../linked'
import type { Capture, Motion } from '../types'
import { bytes, label, things, time } from '../../../ui/text'
import { dimensionNames, hertz, metres, percent, seconds } from '../words'

export function Facts({
  capture,
  motion,
  linked,
  fileName,
}: {
  capture: Capture
  motion: Motion | undefined
  linked: Linked[]
  fileName: string | null
}) {
  const missing =
    motion && motion.channels.length > 0
      ? motion.channels.reduce((sum, c) => sum + c.missing, 0) / motion.channels.length
      : 0
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <dl class="facts">
        <dt>{linked.length > 1 ? 'Athletes' : 'Athlete'}</dt>
        <dd>
          {linked.length === 0 && 'Nobody'}
          {linked.map((l) => (
            <div key={l.id} dir="auto">
              <a href={`/athletes/${l.id}`}>{l.name ?? l.id}</a>
            </div>
          ))}
        </dd>
        <dt>Activity</dt>
        <dd dir="auto">{capture.activity ? label(capture.activity) : '–'}</dd>
        <dt>Movement</dt>
        <dd dir="auto">{capture.movement ? label(capture.movement) : '–'}</dd>
        {dimensionNames.map(
          ([key, name]) =>
            capture[key] !== undefined && (
              <>
                <dt>{name}</dt>
                <dd dir="auto">{capture[key]}</dd>
              </>
            ),
        )}
        <dt>{motion?.capture_time_from === 'upload' && capture.capture_time ? 'Uploaded' : 'Recorded'}</dt>
        <dd>
          {capture.capture_time ? <time dateTime={capture.capture_time}>{time(capture.capture_time)}</time> : 'unknown'}
        </dd>
        {!motion && fileName && (
          <>
            <dt>File</dt>
            <dd dir="auto">{fileName}</dd>
          </>
        )}
        {motion && (
          <>
            <dt>File</dt>
            <dd dir="auto">
              {motion.file_name}{' '}
              <span class="quiet">
                ({motion.format.toUpperCase()}, {bytes(motion.size)})
              </span>
            </dd>
            <dt>Rate</dt>
            <dd>
              {hertz(motion.rate)}
              {!motion.even && motion.rate !== null && ', uneven'}
            </dd>
            <dt>Length</dt>
            <dd>
              {motion.frames > 0 ? `${things(motion.frames, 'frame')}, ` : ''}
              {seconds(motion.duration)}
            </dd>
            {motion.first_frame > 1 && (
              <>
                <dt>First frame</dt>
                <dd>{motion.first_frame} in the file, 0 here</dd>
              </>
            )}
            {motion.channels.length > 0 && (
              <>
                <dt>Missing</dt>
                <dd>{percent(missing)} of all samples</dd>
              </>
            )}
            {motion.channels.length > 0 && (
              <>
                <dt>Unit in the file</dt>
                <dd>
                  {motion.unit || 'not told'}
                  {motion.metres > 0
                    ? ` (shown in metres; 1 is ${metres(motion.metres)})`
                    : motion.channels.some((c) => c.kind === 'point')
                      ? ' (lengths are shown as they are)'
                      : ''}
                </dd>
              </>
            )}
            {motion.subjects.length > 0 && (
              <>
                <dt>In the file</dt>
                <dd dir="auto">{motion.subjects.join(', ')}</dd>
              </>
            )}
            {motion.video && (
              <>
                <dt>Picture</dt>
                <dd>
                  {motion.video.width} × {motion.video.height}
                  {motion.video.rotation ? `, turned by ${motion.video.rotation}°` : ''}
                </dd>
                <dt>Codec</dt>
                <dd class="mono">{motion.video.codec}</dd>
                {motion.video.variable && (
                  <>
                    <dt>Spacing</dt>
                    <dd>The pictures are unevenly spaced in time.</dd>
                  </>
                )}
              </>
            )}
          </>
        )}
        <dt>Id</dt>
        <dd class="mono">{capture.session_id}</dd>
      </dl>
    </section>
  )
}
