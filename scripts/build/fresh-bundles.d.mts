/** Makes bundles from the current sources. From then on, the sandbox's runner uses them. */
export default function makeBundlesUnderTest(options: {
  nonFlagArgs: readonly string[]
}): Promise<void>
