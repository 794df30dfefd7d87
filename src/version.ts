/** The version of this release. A test compares it with `package.json`. */
export const version = '1.0.0'

const repository = 'run-automation/run-automation'

const major = `v${version.replace(/\..*/, '')}`

/** The `uses:` of the action that fetches a run later. README and all hints use it. */
export const waitAction = `${repository}/wait@${major}`

/** The page on which people report bugs. */
export const reportAt = `https://github.com/${repository}/issues/new`

/** The page that explains every annotation, at this major version's tag. */
export const troubleshootingPage = `https://github.com/${repository}/blob/${major}/docs/troubleshooting.md`
