import type { FileUIPart } from 'ai'

/** Files of an input field as parts, their bytes as data URLs. */
export async function filesToParts(files: FileList | readonly FileUIPart[] | undefined): Promise<FileUIPart[]> {
  if (files === undefined) return []
  if (isParts(files)) return [...files]
  return Promise.all(
    [...files].map(async file => ({
      type: 'file' as const,
      mediaType: file.type,
      filename: file.name,
      url: await dataUrl(file),
    })),
  )
}

function isParts(files: FileList | readonly FileUIPart[]): files is readonly FileUIPart[] {
  return Array.isArray(files)
}

async function dataUrl(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // As many at a time as a call may have arguments.
  const step = 32_768
  let binary = ''
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step))
  return `data:${file.type};base64,${btoa(binary)}`
}
