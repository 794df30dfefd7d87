/** The release these sources make; a test holds it to `package.json`. */
export const version = '1.0.0'

const repository = 'run-automation/run-automation'

/** What stands behind `uses:` where a run is fetched later; README and every hint use these words. */
export const waitAction = `${repository}/wait@v${version.replace(/\..*/, '')}`

/** Where people report what is our fault. */
export const reportAt = `https://github.com/${repository}/issues/new`
