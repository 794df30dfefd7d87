export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

export interface Sheet {
  theme: Theme
  /** CSS pixels. */
  width: number
}

const grounds: Record<Theme, string> = { light: '#ffffff', dark: '#0d1117' }

/**
 * A page that is as wide as it is told, whatever the window: browsers refuse windows as narrow as
 * a telephone. `height` tells its height once it is drawn.
 */
export function htmlPage(body: string, css: string, { theme, width }: Sheet): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><style>
${css}
html { overflow: hidden; background: ${grounds[theme]}; }
body { box-sizing: border-box; width: ${String(width)}px; margin: 0; padding: 16px; }
</style></head><body>
${body}
<script>document.documentElement.dataset.height = document.body.scrollHeight</script>
</body></html>
`
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
