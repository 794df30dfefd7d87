type OptionalKey<Value> = {
  [Key in keyof Value]: undefined extends Value[Key] ? Key : never
}[keyof Value]

/** A value whose absent members are left out, not `undefined`. */
export type Given<Value> = Omit<Value, OptionalKey<Value>> & {
  [Key in OptionalKey<Value>]?: Exclude<Value[Key], undefined>
}

/** Leaves absent members out, so that a spread of the value overwrites nothing with `undefined`. */
export function leaveOutAbsent<Value extends object>(value: Value): Given<Value> {
  const given = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(given) as Given<Value>
}
