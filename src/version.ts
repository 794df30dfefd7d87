/** The release these sources make; a test holds it to `package.json`. */
export const version = '1.0.0'

/** Where people report what is our fault. */
export const reportAt = 'https://github.com/run-automation/run-automation/issues/new'
