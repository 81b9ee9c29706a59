import { useEffect, useRef, useState } from 'preact/hooks'
import { found } from './kinds'

/**
 * useDrop takes files and folders that are dropped anywhere; null takes none. It says whether something hangs over the
 * page.
 */
export function useDrop(take: ((files: File[]) => void) | null): boolean {
  const [over, setOver] = useState(false)
  const taker = useRef(take)
  taker.current = take
  useEffect(() => {
    let depth = 0
    const files = (e: DragEvent) => taker.current !== null && (e.dataTransfer?.types.includes('Files') ?? false)
    const enter = (e: DragEvent) => {
      if (files(e)) {
        depth++
        setOver(true)
      }
    }
    const leave = (e: DragEvent) => {
      if (files(e) && --depth <= 0) {
        depth = 0
        setOver(false)
      }
    }
    const hover = (e: DragEvent) => {
      if (files(e)) e.preventDefault()
    }
    const drop = (e: DragEvent) => {
      if (!files(e)) return
      e.preventDefault()
      depth = 0
      setOver(false)
      // The list must be looked at now: it is empty once this event is over.
      const dropped = [...(e.dataTransfer?.items ?? [])].map((i) => i.webkitGetAsEntry() ?? i.getAsFile())
      void Promise.all(dropped.map(inside)).then((lists) => taker.current?.(lists.flat()))
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', hover)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', hover)
      removeEventListener('drop', drop)
    }
  }, [])
  return over
}

/** inside is the files of what was dropped; hidden ones and what cannot be read are left out. */
async function inside(entry: FileSystemEntry | File | null): Promise<File[]> {
  if (entry === null) return []
  if (entry instanceof File) return [entry]
  if (entry.name.startsWith('.')) return []
  if (entry.isFile) {
    return new Promise((done) =>
      (entry as FileSystemFileEntry).file(
        (f) => {
          found(f, entry.fullPath)
          done([f])
        },
        () => done([]),
      ),
    )
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const all: File[] = []
  for (;;) {
    // a hundred at a time, until none are left
    const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])))
    if (some.length === 0) return all
    for (const one of some) all.push(...(await inside(one)))
  }
}
