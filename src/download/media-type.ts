import mime from 'mime'

/** `application/json; charset=utf-8` → `application/json`; empty where the answer has none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The extension, dot included, that a file of this media type usually has; `.bin` if unknown. */
export function extensionOf(mediaType: string): string {
  const known = mime.getExtension(mediaType)
  if (known) return `.${known}`
  const suffix = /\+(json|xml|zip)$/.exec(mediaType)?.[1]
  return suffix ? `.${suffix}` : '.bin'
}
