/**
 * A certificate of its own making and its key, for servers of these tests alone: nothing trusts it
 * but a test that says so, and the key protects nothing. For `service.test`, `localhost` and
 * 127.0.0.1, valid from 2024 to 2124, so that no machine's clock spoils a test.
 */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY2q1QOreO/wIY7y1
TC5uQR8U7KA9jV7U1RT2fgpVvmahRANCAASzlNJ3cPZ9rKUIfFOfxhekDNOdFpJm
WvEpXGbyTt42odXyyU26Mk+NjQeQiAr2QZ0gvu+7i/xaq0neeGV0XWq2
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBezCCASGgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxzZXJ2aWNl
LnRlc3QwIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBaMBcxFTATBgNV
BAMMDHNlcnZpY2UudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLOU0ndw
9n2spQh8U5/GF6QM050WkmZa8SlcZvJO3jah1fLJTboyT42NB5CICvZBnSC+77uL
/FqrSd54ZXRdarajXDBaMA8GA1UdEwEB/wQFMAMBAf8wKAYDVR0RBCEwH4IMc2Vy
dmljZS50ZXN0gglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYEFII21FLLmDPNXjeo
OMjIlM09j8bbMAoGCCqGSM49BAMCA0gAMEUCIAQJCfPglp0KyuBzfyMtu1DaWRnW
qAc0nd49KewV1+oGAiEAis9VNSNZAcO+wn7LV3uj2H4qi0Dnr7lX5FiwHr9NlKA=
-----END CERTIFICATE-----`,
}
