/**
 * The variables of the machine that a Node program needs. No other variable of this process is
 * passed on.
 */
const ofTheMachine = new Set(
  'PATH PATHEXT HOME USERPROFILE APPDATA LOCALAPPDATA SYSTEMROOT WINDIR COMSPEC TEMP TMP TMPDIR LANG'.split(
    ' ',
  ),
)

/** For a program that must see nothing else: of one name each spelling that the machine uses. */
export function machineEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && ofTheMachine.has(name.toUpperCase())) kept[name] = value
  return kept
}
