// The script that /login imports when a passkey may be used, so that its other visitors do not load
// it.

export { startAuthentication } from '@simplewebauthn/browser'
