// The video of a capture, as it came.

import { useState } from 'preact/hooks'
import { address } from '../../../api/request'
import type { Motion } from '../types'

export function Video({ id, motion }: { id: string; motion: Motion }) {
  const [bad, setBad] = useState(false)
  const source = address('/captures/{captureId}/file', { path: { captureId: id } })
  return (
    <section class="card" aria-labelledby="video-title">
      <h2 id="video-title">Video</h2>
      {bad ? (
        <p class="notice" role="status">
          This browser cannot play the video{motion.video?.codec ? ` (${motion.video.codec})` : ''}. Download it, and
          another program can.
        </p>
      ) : (
        <video
          class="video"
          controls
          preload="metadata"
          playsInline
          src={source}
          aria-label={`Video ${motion.file_name}`}
          onError={() => setBad(true)}
        />
      )}
    </section>
  )
}
