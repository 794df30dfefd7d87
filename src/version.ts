/** The version of this release. A test compares it with `package.json`. */
export const version = '1.0.0'

const repository = 'run-automation/run-automation'

/**
 * The ref of this repository that workflows use. `npm run docs` writes it into README, pages, examples
 * and action.yml. A release sets it to the major tag, for example `v1`.
 */
export const ref = 'main'

/** The `uses:` value of the action `wait`. Messages recommend this action to fetch a run later. */
export const waitAction = `${repository}/wait@${ref}`

export const reportAt = `https://github.com/${repository}/issues/new`

/** The address of the page that explains all annotations. */
export const troubleshootingPage = `https://github.com/${repository}/blob/${ref}/docs/troubleshooting.md`
