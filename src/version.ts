/** The version of this release. A test compares it with `package.json`. */
export const version = '1.0.0'

const repository = 'run-automation/run-automation'

const major = `v${version.replace(/\..*/, '')}`

/** The `uses:` value of the action `wait`. Messages recommend this action to fetch a run later. */
export const waitAction = `${repository}/wait@${major}`

export const reportAt = `https://github.com/${repository}/issues/new`

/** The address of the page that explains all annotations of this major version. */
export const troubleshootingPage = `https://github.com/${repository}/blob/${major}/docs/troubleshooting.md`
