/** The release these sources make; a test holds it to `package.json`. */
export const version = '1.0.0'

const repository = 'run-automation/run-automation'

const major = `v${version.replace(/\..*/, '')}`

/** What stands behind `uses:` where a run is fetched later; README and every hint use these words. */
export const waitAction = `${repository}/wait@${major}`

/** Where people report what is our fault. */
export const reportAt = `https://github.com/${repository}/issues/new`

/** The page that explains every annotation, as it stands at this major version's tag. */
export const troubleshootingPage = `https://github.com/${repository}/blob/${major}/docs/troubleshooting.md`
