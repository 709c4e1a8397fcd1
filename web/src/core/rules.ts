/* Rules that were written from here into a CLI's own settings, and those that a policy would write. */

import { flag, listOf, name, object, oneOf, optional, text, time, type Guard } from "./guards";
import { PLACES, ruleOf, type Place, type Rule } from "./request";

export const RULE_STATES = ["there", "gone", "undone"] as const;
export type RuleState = (typeof RULE_STATES)[number];

export interface WrittenRule {
    id: string;
    cli: string;
    rule: string;
    where: Place;
    file: string | null;
    project: string | null;
    writtenAt: number;
    by: string | null;
    state: RuleState;
}

/** What a session may be allowed for good. */
export interface Policy {
    name: string;
    text: string;
    rules: Rule[];
    file: string | null;
    on: boolean;
}

export interface Policies {
    policies: Policy[];
    /** Why there is none. */
    why: string | null;
}

const writtenRuleOf: Guard<WrittenRule> = (v, path) => {
    const o = object(v, path);
    const at = (field: string) => `${path}.${field}`;
    return {
        id: name(o.id, at("id")),
        cli: optional(text)(o.cli, at("cli")) ?? "",
        rule: text(o.rule, at("rule")),
        where: oneOf(PLACES)(o.where, at("where")),
        file: optional(text)(o.file, at("file")),
        project: optional(text)(o.project, at("project")),
        writtenAt: time(o.writtenAt, at("writtenAt")),
        by: optional(text)(o.by, at("by")),
        state: oneOf(RULE_STATES)(o.state, at("state")),
    };
};

export const writtenRulesOf: Guard<WrittenRule[]> = (v, path) => listOf(writtenRuleOf)(object(v, path).rules, `${path}.rules`);

const policyOf: Guard<Policy> = (v, path) => {
    const o = object(v, path);
    const at = (field: string) => `${path}.${field}`;
    return {
        name: name(o.name, at("name")),
        text: text(o.text, at("text")),
        rules: listOf(ruleOf)(o.rules, at("rules")),
        file: optional(text)(o.file, at("file")),
        on: flag(o.on, at("on")),
    };
};

export const policiesOf: Guard<Policies> = (v, path) => {
    const o = object(v, path);
    return { policies: listOf(policyOf)(o.policies, `${path}.policies`), why: optional(text)(o.why, `${path}.why`) };
};

const STATE_WORDS: Record<RuleState, string> = {
    there: "",
    gone: "taken out of the file by somebody",
    undone: "undone",
};

/** What became of a rule; "" while it holds. */
export function ruleStateWords({ state }: WrittenRule): string {
    return STATE_WORDS[state];
}
