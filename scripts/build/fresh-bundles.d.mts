/** Makes the bundles of the sources as they stand, and has the sandbox's runner use them. */
export default function makeBundlesUnderTest(options: {
  nonFlagArgs: readonly string[]
}): Promise<void>
