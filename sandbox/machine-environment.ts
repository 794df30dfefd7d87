const neededNames = new Set(
  'PATH PATHEXT HOME USERPROFILE APPDATA LOCALAPPDATA SYSTEMROOT WINDIR COMSPEC TEMP TMP TMPDIR LANG'.split(
    ' ',
  ),
)

/**
 * Returns the variables of this machine that a Node program needs, and no others. Keeps the case of
 * their names, for example `Path` on Windows.
 */
export function machineEnvironment(): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && neededNames.has(name.toUpperCase())) kept[name] = value
  return kept
}
