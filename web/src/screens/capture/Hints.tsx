/** Hints say what keys and fingers do: those of the two that the device has. */
export function Hints({ events }: { events: boolean }) {
  return (
    <>
      <p class="stage-keys with-mouse">
        <kbd>Space</kbd> plays, <kbd>←</kbd> <kbd>→</kbd> step, <kbd>J</kbd> <kbd>L</kbd> go ten frames back and on,{' '}
        {events && (
          <>
            <kbd>,</kbd> <kbd>.</kbd> go to the previous and the next event,{' '}
          </>
        )}
        <kbd>Home</kbd> <kbd>End</kbd> to the first and the last frame, <kbd>Shift</kbd> and arrows turn, <kbd>+</kbd>{' '}
        <kbd>−</kbd> zoom, <kbd>0</kbd> shows the whole, <kbd>N</kbd> names, <kbd>F</kbd> fills the screen
      </p>
      <p class="stage-keys with-fingers">
        One finger sideways turns, two fingers zoom and tilt; up and down scrolls the page
      </p>
    </>
  )
}
