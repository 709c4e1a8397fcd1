#include "crypto/p256.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <stdlib.h>

#define CURVE "prime256v1"

enum { DER_BYTES = 80 };

struct p256 {
    EVP_PKEY *pair;
    unsigned char number[P256_NUMBER_BYTES], point[P256_POINT_BYTES];
};

DEFINE_CLEANUP(pkey, EVP_PKEY *, EVP_PKEY_free);
DEFINE_CLEANUP(pkey_ctx, EVP_PKEY_CTX *, EVP_PKEY_CTX_free);
DEFINE_CLEANUP(md_ctx, EVP_MD_CTX *, EVP_MD_CTX_free);
DEFINE_CLEANUP(bignum, BIGNUM *, BN_clear_free);
DEFINE_CLEANUP(group, EC_GROUP *, EC_GROUP_free);
DEFINE_CLEANUP(point, EC_POINT *, EC_POINT_free);
DEFINE_CLEANUP(build, OSSL_PARAM_BLD *, OSSL_PARAM_BLD_free);
DEFINE_CLEANUP(params, OSSL_PARAM *, OSSL_PARAM_free);
DEFINE_CLEANUP(signature, ECDSA_SIG *, ECDSA_SIG_free);

/* A key of OpenSSL's: a public one when `number` is NULL. OpenSSL refuses points that are not on the curve. */
static EVP_PKEY *import(const unsigned char *point, const BIGNUM *number) {
    AUTO(build) OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    AUTO(pkey_ctx) EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (!build || !context ||
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, P256_POINT_BYTES) != 1 ||
        (number && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) != 1))
        return NULL;
    AUTO(params) OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    if (!params || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, number ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) != 1)
        return NULL;
    return key;
}

/* The public key of a private one. */
static bool multiply(const EC_GROUP *group, const BIGNUM *number, unsigned char ret[P256_POINT_BYTES]) {
    AUTO(point) EC_POINT *point = EC_POINT_new(group);
    return point && EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
           EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, ret, P256_POINT_BYTES, NULL) ==
               P256_POINT_BYTES;
}

struct p256 *p256_of(const unsigned char number[P256_NUMBER_BYTES]) {
    AUTO(group) EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    AUTO(bignum) BIGNUM *secret = BN_bin2bn(number, P256_NUMBER_BYTES, NULL);
    struct p256 k = {0};
    if (!group || !secret || BN_is_zero(secret) || BN_cmp(secret, EC_GROUP_get0_order(group)) >= 0 ||
        !multiply(group, secret, k.point))
        return NULL;
    k.pair = import(k.point, secret);
    if (!k.pair) return NULL;
    memcpy(k.number, number, sizeof k.number);
    struct p256 *ret = xcalloc(1, sizeof *ret);
    *ret = k;
    OPENSSL_cleanse(&k, sizeof k);
    return ret;
}

struct p256 *p256_make(void) {
    AUTO(pkey) EVP_PKEY *pair = EVP_EC_gen(CURVE);
    AUTO(bignum) BIGNUM *secret = NULL;
    unsigned char number[P256_NUMBER_BYTES];
    if (!pair || EVP_PKEY_get_bn_param(pair, OSSL_PKEY_PARAM_PRIV_KEY, &secret) != 1 ||
        BN_bn2binpad(secret, number, sizeof number) != (int)sizeof number)
        return NULL;
    struct p256 *k = p256_of(number);
    OPENSSL_cleanse(number, sizeof number);
    return k;
}

void p256_free(struct p256 *k) {
    if (!k) return;
    EVP_PKEY_free(k->pair);
    OPENSSL_cleanse(k, sizeof *k);
    free(k);
}

void p256_number(const struct p256 *k, unsigned char ret[P256_NUMBER_BYTES]) {
    memcpy(ret, k->number, sizeof k->number);
}

const unsigned char *p256_point(const struct p256 *k) {
    return k->point;
}

static EVP_PKEY *import_point(const unsigned char point[P256_POINT_BYTES]) {
    AUTO(pkey) EVP_PKEY *key = point[0] == POINT_CONVERSION_UNCOMPRESSED ? import(point, NULL) : NULL;
    AUTO(pkey_ctx) EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;
    if (!context || EVP_PKEY_public_check(context) != 1) return NULL;
    return TAKE(key);
}

bool p256_is_point(const unsigned char point[P256_POINT_BYTES]) {
    AUTO(pkey) EVP_PKEY *key = import_point(point);
    return key;
}

int p256_agree(const struct p256 *k, const unsigned char point[P256_POINT_BYTES],
               unsigned char ret[P256_NUMBER_BYTES]) {
    AUTO(pkey) EVP_PKEY *peer = import_point(point);
    AUTO(pkey_ctx) EVP_PKEY_CTX *context = peer ? EVP_PKEY_CTX_new_from_pkey(NULL, k->pair, NULL) : NULL;
    size_t n = P256_NUMBER_BYTES;
    if (!context || EVP_PKEY_derive_init(context) != 1 || EVP_PKEY_derive_set_peer(context, peer) != 1 ||
        EVP_PKEY_derive(context, ret, &n) != 1 || n != P256_NUMBER_BYTES)
        return -EINVAL;
    return 0;
}

/* OpenSSL signs in ASN.1; tokens have the two numbers behind each other. */
static int unwrap(const unsigned char *der, size_t n, unsigned char ret[P256_SIGNATURE_BYTES]) {
    AUTO(signature) ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &der, (long)n);
    if (!sig || BN_bn2binpad(ECDSA_SIG_get0_r(sig), ret, P256_NUMBER_BYTES) < 0 ||
        BN_bn2binpad(ECDSA_SIG_get0_s(sig), ret + P256_NUMBER_BYTES, P256_NUMBER_BYTES) < 0)
        return -EIO;
    return 0;
}

int p256_sign(const struct p256 *k, struct span text, unsigned char ret[P256_SIGNATURE_BYTES]) {
    AUTO(md_ctx) EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char der[DER_BYTES];
    size_t n = sizeof der;
    if (!context || EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, k->pair) != 1 ||
        EVP_DigestSign(context, der, &n, (const unsigned char *)text.p, text.n) != 1)
        return -EIO;
    return unwrap(der, n, ret);
}
