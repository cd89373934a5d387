/* Runs the kernels without Python, so that sanitizers can watch them.
 *
 * Each line of the input is one problem in numbers: plain, min_natural, max_jokers,
 * mirror_min_side, mirror_last, mirror_c_needs_c, adjacent_c, stand, floor, below, node_limit,
 * deadline, then must, may and weight of every face. Each line of the output is the answer: status, loss,
 * nodes, and the rows as faces with 99 after each.
 */
#include <inttypes.h>
#include <stdio.h>

#include "problem.h"

static int read_counts(uint8_t counts[FACES])
{
    for (int face = 0; face < FACES; face++)
        if (scanf("%" SCNu8, &counts[face]) != 1)
            return 0;
    return 1;
}

static int read_problem(Problem *problem, int *plain)
{
    if (scanf("%d", plain) != 1)
        return 0;
    int fields = scanf("%" SCNd32 " %" SCNd32 " %" SCNd32 " %" SCNd32 " %" SCNd32 " %" SCNd32
                       " %" SCNd64 " %" SCNd32 " %" SCNd64 " %" SCNu64 " %" SCNd64,
                       &problem->min_natural, &problem->max_jokers, &problem->mirror_min_side,
                       &problem->mirror_last, &problem->mirror_c_needs_c, &problem->adjacent_c,
                       &problem->stand, &problem->floor, &problem->below, &problem->node_limit,
                       &problem->deadline);
    if (fields != 11 || !read_counts(problem->must) || !read_counts(problem->may))
        return 0;
    for (int face = 0; face < FACES; face++)
        if (scanf("%" SCNd64, &problem->weight[face]) != 1)
            return 0;
    return 1;
}

int main(void)
{
    Problem problem;
    Cover cover;
    int plain;
    while (read_problem(&problem, &plain)) {
        cover = (Cover){0};
        CoverStatus status =
            plain ? plain_cover(&problem, &cover) : general_cover(&problem, &cover);
        if (status == COVER_NONE || status == COVER_NO_MEMORY) {
            printf("%d\n", (int)status);
            continue;
        }
        printf("%d %" PRId64 " %" PRIu64, (int)status, cover.loss, cover.nodes);
        const uint8_t *face = cover.face;
        for (int32_t row = 0; row < cover.rows; row++) {
            for (int place = 0; place < cover.length[row]; place++)
                printf(" %d", *face++);
            printf(" 99");
        }
        printf("\n");
    }
    return 0;
}
