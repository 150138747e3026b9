// What the entries are called, and which names typedoc asks a sentence of: each that an entry exports, and each member of a class or an interface. Two
// kinds of members speak for themselves: the `type` by which a union is told apart, and what an inline object has, which
// the type around it explains. (Its own `notDocumented` knows neither.)
import { Application, Converter, ReflectionKind } from 'typedoc'

const { Accessor, Class, Constructor, Enum, EnumMember, Function: Callable, Interface, Method, Property, TypeAlias, Variable } = ReflectionKind
const ASKED = Accessor | Class | Constructor | Enum | EnumMember | Callable | Interface | Method | Property | TypeAlias | Variable

const isInline = ({ name, parent }) => name === '__type' || (parent !== undefined && (parent.kindOf(ReflectionKind.TypeLiteral) || isInline(parent)))
const isTag = ({ kind, name }) => kind === Property && name === 'type'

/** The comment of what can be called stands at its signatures, of which each is asked; so does that of a property that holds a function. */
function isExplained(reflection) {
  const signatures = [reflection.signatures, reflection.getSignature, reflection.setSignature, reflection.type?.declaration?.signatures].flat().filter(Boolean)
  return reflection.hasComment() || (signatures.length > 0 && signatures.every(signature => signature.hasComment()))
}

/** Called by typedoc, since `typedoc.json` names this file. */
export function load(app) {
  // An entry is called what an import calls it.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.getChildrenByKind(ReflectionKind.Module)) entry.name = entry.name === 'index' ? 'turnseal' : `turnseal/${entry.name}`
  })
  app.on(Application.EVENT_VALIDATE_PROJECT, project => {
    const named = project.getReflectionsByKind(ASKED).filter(reflection => !isTag(reflection) && !isInline(reflection))
    if (named.length < 100) app.logger.warn(`only ${named.length} names were found: the entries are not read`)
    for (const reflection of named) if (!isExplained(reflection)) app.logger.warn(`${reflection.getFullName()} has no sentence`)
  })
}
