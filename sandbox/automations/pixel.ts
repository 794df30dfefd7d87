/** Returns an image of one red pixel. */
import type { Automation } from '../service/automation.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const pixel: Automation<unknown> = () => {
  console.log('drawing 1 x 1')
  return { contentType: 'image/png', body: Buffer.from(png, 'base64') }
}

export default pixel
