/** An automation that fails if the city of its seed begins with an X. */
export const cities = {
  cities: `
    console.log('Looking at ' + seed.city)
    if (seed.city.startsWith('X')) throw new Error('no such city: ' + seed.city)
    return seed`,
}

/** Returns the input `seeds`, with one city per seed. */
export function seedsOf(...names: string[]): string {
  return JSON.stringify(names.map((city) => ({ city })))
}

/** Parses JSON Lines. */
export function linesIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
