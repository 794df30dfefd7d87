import { describe, expect, it } from '@jest/globals'
import { findUnsuited } from '../../scripts/check-licenses.ts'

const notice = (name: string, license: string) => `${name}\nLicense: ${license}\n\nCopyright\n\n`

describe('the licences of bundled packages', () => {
  it.each(['MIT', 'Apache-2.0', 'BSD-3-Clause', '0BSD', '(GPL-2.0 OR MIT)', 'MIT AND ISC'])(
    '%s suits',
    (license) => {
      expect(findUnsuited(notice('left 1.0.0', license))).toEqual([])
    },
  )

  it.each(['GPL-3.0', 'UNLICENSED', 'SEE LICENSE IN license.md', 'MIT AND GPL-2.0'])(
    '%s does not suit, and the package is named',
    (license) => {
      const notices = notice('left 1.0.0', 'MIT') + notice('@far/right 2.0.0', license)
      expect(findUnsuited(notices)).toEqual([`@far/right 2.0.0 is under ${license}`])
    },
  )

  it.each(['', 'undefined'])('none given (%j) does not suit', (license) => {
    expect(findUnsuited(notice('left 1.0.0', license))).toEqual(['left 1.0.0 is under no licence'])
  })

  it('notices without a package are not trusted', () => {
    expect(findUnsuited('nothing')).toHaveLength(1)
  })
})
