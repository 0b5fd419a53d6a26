import { type HomePath, parseLocalPath, type UserType } from '@keyturn/contract/accounts/rules.ts'

/**
 * Returns the stored path if this role may see it, otherwise the role's start page (R-accounts-21,
 * R-accounts-22).
 */
export function pathAfterLogin(user: { userType: UserType; home: HomePath } | null, stored: unknown): string {
  if (!user) return '/home'
  const path = parseLocalPath(stored)
  return path && screensOf(user.userType).includes(withoutQuery(path)) ? path : user.home
}

/**
 * Returns the path after /buy-this-car: the purchase, or for the seller their own page of the car
 * (R-accounts-23).
 */
export function pathToCar(userId: string, vin: string, user: { _id: string } | null): string {
  const page = user?._id === userId ? '/car/seller' : '/buyer'
  return `${page}?${new URLSearchParams({ userId, vin })}`
}

export const withoutQuery = (path: string) => path.replace(/[?#].*$/s, '')

const sharedScreens = ['/help', '/settings', '/settings/data', '/profile'] as const
const wholesalerScreens = ['/wholesaler', '/listofcars'] as const
const traderScreens = [
  '/home',
  '/car/input',
  '/car/seller',
  '/buyer',
  '/pkg',
  '/trade',
  '/trade/input',
  '/car',
] as const

const screensOf = (userType: UserType): readonly string[] =>
  userType === 'WHOLESALER' ? [...wholesalerScreens, ...sharedScreens] : [...traderScreens, ...sharedScreens]
