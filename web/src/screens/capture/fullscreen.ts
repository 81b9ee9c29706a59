/** toggleFullscreen has an element fill the screen, or no longer. */
export function toggleFullscreen(element: HTMLElement | null): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void element?.requestFullscreen?.().catch(() => undefined)
}
