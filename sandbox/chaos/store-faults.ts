/** What can go wrong between the action and the object store. */
import type { Dice } from './dice.ts'
import type { ExtraFault, Extras } from './extra-faults.ts'

/** How the body of an answer ends: after `part` (0 to 1) of its bytes, if not after all. */
export interface Course {
  ending: 'whole' | 'cut' | 'short' | 'silent'
  part: number
  /** Longest pause between two chunks. */
  pause: number
  /** So many bytes come first, one a second. */
  dripping: number
}

export type StoreFault =
  | { kind: 'refused'; name: string; status: number }
  | { kind: 'unreached'; name: string; silent: boolean }
  | { kind: 'unusable'; name: string }
  | { kind: 'served'; name: string; course: Course; twist: Twist }

/** How the store departs from what it was asked for. */
export type Twist =
  'none' | 'changed' | 'no-ranges' | 'another-part' | 'another-version' | 'no-length' | 'broken'

export const faultless: Course = {
  ending: 'whole',
  part: 1,
  pause: 200,
  dripping: 0,
}

export function drawStoreFault(dice: Dice, extras: Extras): StoreFault {
  const further = extraDraws.filter(([, , name]) => extras.has(name))
  return dice.weigh([...draws, ...further.map(([weight, draw]) => [weight, draw] as const)])(dice)
}

const draws: readonly (readonly [number, (dice: Dice) => StoreFault])[] = [
  [2, () => ({ kind: 'refused', name: 'link refused', status: 403 })],
  [
    1,
    (dice) => ({ kind: 'refused', name: 'store in trouble', status: dice.pick([500, 503, 404]) }),
  ],
  [1, () => ({ kind: 'refused', name: '416', status: 416 })],
  [1, () => ({ kind: 'unreached', name: 'store unreachable', silent: false })],
  [1, () => ({ kind: 'unreached', name: 'store silent', silent: true })],
  [1, () => ({ kind: 'unusable', name: 'link leads nowhere' })],
  [3, (dice) => served('download cut', dice, 'cut')],
  [1, (dice) => served('download cut, no length', dice, 'cut', 'no-length')],
  [1, (dice) => served('download too short', dice, 'short')],
  [2, (dice) => served('download stalls', dice, 'silent')],
  [2, (dice) => slowly(dice)],
  [2, (dice) => served('file changed', dice, dice.pick(['whole', 'cut']), 'changed')],
  [1, (dice) => served('no ranges', dice, 'cut', 'no-ranges')],
  [1, (dice) => served('another part', dice, 'whole', 'another-part')],
  [1, (dice) => served('part of another version', dice, 'whole', 'another-version')],
  [1, (dice) => served('no length', dice, 'whole', 'no-length')],
  [1, (dice) => served('broken encoding', dice, 'whole', 'broken')],
]

const extraDraws: readonly (readonly [number, (dice: Dice) => StoreFault, ExtraFault])[] = [
  [1, () => ({ kind: 'refused', name: 'store switches protocols (101)', status: 101 }), '101'],
  [1, (dice) => dripping(dice), 'drip'],
]

function served(
  name: string,
  dice: Dice,
  ending: Course['ending'],
  twist: Twist = 'none',
): StoreFault {
  const part = ending === 'whole' ? 1 : dice.number()
  return {
    kind: 'served',
    name,
    course: { ending, part, pause: dice.pick([10, 800]), dripping: 0 },
    twist,
  }
}

/** Slowly, but it flows. */
function slowly(dice: Dice): StoreFault {
  const ending = dice.pick(['whole', 'cut'])
  const course = { ending, part: ending === 'whole' ? 1 : dice.number(), pause: 9_500, dripping: 0 }
  return { kind: 'served', name: 'slow download', course, twist: 'none' }
}

/** A byte a second, which is a flow, too. */
function dripping(dice: Dice): StoreFault {
  const course = { ...faultless, dripping: dice.whole(1, 300) }
  return { kind: 'served', name: 'download drips', course, twist: 'none' }
}
